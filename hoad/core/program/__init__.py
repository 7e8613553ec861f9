"""What is special about a process that runs HOAD: signals and compiled code."""
