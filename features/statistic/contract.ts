import { z } from 'zod'
import { nothing, read } from '#base/contract.ts'

const longest = 2_000

/** A page of this site: a path, never another host. */
const ownPath = z
  .string()
  .max(longest)
  .regex(/^\/(?![/\\])/)

/** The specification's name. The answer says nothing and is not waited for. */
export const addPageView = read('/statistic/add', {
  does: 'Notes that a page was looked at, and from where one came. Written a little later.',
  takes: z.object({ url: ownPath, referrer: z.string().max(longest).default('') }),
  gives: nothing,
})
