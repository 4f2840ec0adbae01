/** A problem that the user can fix. It is reported in one line, without a stack. */
export class StartError extends Error {}
