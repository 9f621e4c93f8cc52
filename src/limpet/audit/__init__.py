"""What happens on the road -> a record that stays: a hash-chained SQLite file, OpenTelemetry spans, or a list."""
