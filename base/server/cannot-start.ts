/** Why the program will not start, in words for the person who started it: shown without a stack. */
export class CannotStart extends Error {
  override name = 'CannotStart'
}
