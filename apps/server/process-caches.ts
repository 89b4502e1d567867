import * as account from '#account/server/account.ts'
import * as token from '#account/server/token.ts'
import type { Database } from '#base/server/database/database.ts'
import type { PageCache } from '#base/server/cache/page-cache.ts'
import { forgetSecrets } from '#base/server/security/secret.ts'
import * as delivery from '#delivery/server/delivery.ts'
import * as frame from '#frame/server/frame.ts'
import { forgetCertificates } from '#payment/server/providers/wechat-desk.ts'
import * as posts from '#post/server/post.ts'
import * as role from '#role/server/role.ts'
import { forgetCounts } from '#search/server/postgres/shares.ts'
import { forgetSpellings } from '#search/server/spelling.ts'
import * as sensitiveWord from '#sensitive-word/server/sensitive-word.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import { forgetSeen } from '#topic/server/views.ts'
import * as user from '#user/server/user.ts'

/** Everything that the program knows without asking: as it begins, on another database perhaps than before. */
export function clearAllCaches(): void {
  forgetSecrets()
  account.forgetTerms()
  setting.forget()
  delivery.forget()
  frame.forget()
  role.forget()
  tag.forget()
  user.forgetAuthors()
  posts.forgetThreads()
  token.forgetOwners()
  sensitiveWord.forget()
  forgetCounts()
  forgetSpellings()
  forgetSeen()
  forgetCertificates()
}

/** Who may be another, or see another thing, now that these were invalidated: members by id, or everybody. */
export function whoseRights(tags: readonly string[]): ReadonlySet<string> | 'everybody' {
  if (['role', 'tags', 'setting'].some((tag) => tags.includes(tag))) return 'everybody'
  return new Set(tags.flatMap((tag) => /^(?:member|sessions):(.+)/.exec(tag)?.[1] ?? []))
}

/** Forgets what others change, as they say so. */
export function clearInvalidated({ app, invalidations }: Database, cache: PageCache): void {
  invalidations.on((tags) => {
    if (tags === '*' || tags.includes('setting')) setting.forget()
    if (tags === '*' || tags.includes(frame.frameTag) || tags.includes('setting')) frame.forget()
    if (tags === '*' || tags.includes(delivery.wordingTag)) delivery.forget()
    if (tags === '*' || tags.includes('role')) role.forget()
    if (tags === '*' || tags.includes('terms')) account.forgetTerms()
    if (tags === '*' || tags.includes('tags')) tag.forget()
    if (tags === '*' || tags.includes('sensitiveWords')) sensitiveWord.renew(app)
    const changed = tags === '*' || tags.includes('everything') ? '*' : tags
    user.forgetAuthors(changed)
    posts.forgetThreads(changed)
    token.forgetOwners(changed)
    cache.drop(changed)
  })
}
