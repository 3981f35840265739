// CSV and TSV in and out, other text formats out; type inference over all rows. Pure: bytes in,
// bytes out.
