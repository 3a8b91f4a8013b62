"""What players are worth: ladders of budgets, replies in the browser, exact solutions."""
