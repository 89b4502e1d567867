/** The program cannot start, in words for the operator: shown without a stack. */
export class CannotStart extends Error {
  override name = 'CannotStart'
}
