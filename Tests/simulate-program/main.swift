// `simulate`: histories of the seeded world from the command line. What it does is in
// Program.swift.
import Foundation

exit(run())
