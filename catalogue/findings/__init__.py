"""What is proved, compared, studied and judged so far: sentences made from the rows by rules, never typed."""
