// Comfort only: the slider of the years. Without it two number fields do the same.
import "./narrowing.js";
