"""What is special about a process that runs HOAD: signals, compiled code, its sources."""
