import { aboutIn, deedIn } from '#audit/admin/deed-words.ts'
import { storeOf } from '#base/web/store.ts'
import { Link } from '#base/web/link.tsx'
import { MenuLink } from '#base/web/menu.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'

/** The code of the words that name what a deed was about, where another feature has them; the app sets it. */
export const keyOfName = storeOf<(about: string) => string | null>(() => null)

/** Whether one may read the log; the app sets it. */
export const mayReadLog = storeOf<() => boolean>(() => false)

type Hand = { account: string; by: { zh: string; en: string } | null }

/** Who did something: by account, or a member who keeps order. */
export function DoneBy({ account, by }: Hand) {
  const words = useWords('auditAdmin')
  const language = useLanguage()
  if (!by) return account
  const { text, to } = aboutIn(words, account, by[language])
  return to ? <Link to={to}>{text}</Link> : text
}

/** In the menu of a thing, the way to what was done to it; `about` as in the log. */
export function LogOf({ about }: { about: string }) {
  const words = useWords('auditAdmin')
  return mayReadLog.get()() && <MenuLink to={`/admin/audit?about=${encodeURIComponent(about)}`}>{words('logOf')}</MenuLink>
}

/** What staff did, in words. */
export function DeedText({ deed }: { deed: string }) {
  const words = useWords('auditAdmin')
  return <span title={deed}>{deedIn(words, deed)}</span>
}

export function useDeedName(): (deed: string) => string {
  const words = useWords('auditAdmin')
  return (deed) => deedIn(words, deed)
}
