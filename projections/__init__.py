"""What is true: state as a fold of events, characteristics, views of seats."""
