import { CannotStart } from '#base/server/cannot-start.ts'

/** The dump is cut, and nothing of it is used. */
export function half(why: string): CannotStart {
  return new CannotStart(`The dump is not whole. ${why}. Make it anew, or copy it again.`)
}

/** The dump is whole, but not of a form that is read. */
export function unreadable(why: string, instead: string): CannotStart {
  return new CannotStart(`The dump cannot be read: ${why}. ${instead}`)
}
