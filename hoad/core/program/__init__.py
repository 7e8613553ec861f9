"""What is special about a process that runs HOAD: signals, streams, compiled code, its sources."""
