import { aboutIn, actionIn } from '#audit/admin/action-words.ts'
import { createStore } from '#base/web/store.ts'
import { Link } from '#base/web/link.tsx'
import { MenuLink } from '#base/web/menu.tsx'
import { useLanguage, useTranslate, useWords } from '#base/web/words.tsx'

/** The catalogue key for the subject of an entry, resolved by other features; set by the app. */
export const subjectNameKey = createStore<(about: string) => string | null>(() => null)

/** Whether the log may be read; set by the app. */
export const mayReadLog = createStore<() => boolean>(() => false)

type ActorName = { account: string; by: { zh: string; en: string } | null }

/** The actor: an account, or a moderator of the forum. */
export function ActorLink({ account, by }: ActorName) {
  const say = useTranslate()
  const language = useLanguage()
  if (!by) return account
  const { text, to } = aboutIn(say, account, by[language])
  return to ? <Link to={to}>{text}</Link> : text
}

/** A link to the log entries of one item, for its menu; `about` as in the log. */
export function LogLink({ about }: { about: string }) {
  const words = useWords('auditAdmin')
  return mayReadLog.get()() && <MenuLink to={`/admin/audit?about=${encodeURIComponent(about)}`}>{words('logOf')}</MenuLink>
}

/** An audit action in words. */
export function ActionText({ action }: { action: string }) {
  return <span title={action}>{actionIn(useTranslate(), action)}</span>
}

export function useActionName(): (action: string) => string {
  const say = useTranslate()
  return (action) => actionIn(say, action)
}
