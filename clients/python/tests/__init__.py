"""Tests of the bot library: `python3 -m unittest discover -s tests -t .` in clients/python."""
