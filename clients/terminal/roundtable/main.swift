// The command line of Roundtable: finds the command, runs it, and ends with its exit code.
// The commands are in CommandTable.swift.
import Glibc

exit(runProgram(Array(CommandLine.arguments.dropFirst())))
