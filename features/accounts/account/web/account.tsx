import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { Link } from '#base/web/link.tsx'
import { encodeReturnPath } from '#base/encode-return-path.ts'
import { openEditors } from '#base/editor/open-editors.ts'
import { useWords } from '#base/web/words.tsx'
import { endedMember, member, type Me } from '#account/web/current-member.ts'

export { member, memberLoaded, onMemberLogout, type Me } from '#account/web/current-member.ts'
export { revokePending } from '#account/web/revoke.ts'
export { useToggle } from '#account/web/toggle.ts'

/** The member who is logged in; null for visitors and while it loads. Nothing is rendered again once a visitor is known to be one. */
export function useMember(): Me | null {
  return member.useAs((me) => me ?? null)
}

/** Ends the session in this tab. An unsent draft stays with its author until they leave it. */
export function endSession(): void {
  if (member.get() && openEditors.get().some((editor) => editor.hasUnsentText())) {
    endedMember.set(member.get() ?? null)
    const stop = openEditors.watch(() => {
      if (openEditors.get().length > 0) return
      stop()
      endedMember.set(null)
    })
  }
  member.set(null)
}

/** The author at this page: a member, or one whose session ended while they wrote. */
export function currentAuthor(): Me | null {
  return member.get() ?? endedMember.get()
}

export function useHasSessionEnded(): boolean {
  const isVisitor = member.use() === null
  return endedMember.use() !== null && isVisitor
}

/** The login path that leads to `to` afterwards, or back to this page. A page that already carries a destination keeps it. */
export function useLoginPath(to?: string): string {
  const { pathname, search } = useLocation()
  if (!to && ['/login', '/register'].includes(pathname)) return `/login${search}`
  return `/login?jumpUrl=${encodeReturnPath(to ?? pathname + search)}`
}

/** The same path to registration. */
export function useRegisterPath(to?: string): string {
  return useLoginPath(to).replace('/login', '/register')
}

/** Shows its children to members, and a login prompt to visitors. Nothing until the viewer is known. */
export function MembersOnly({
  children,
  why,
  hash = '',
}: {
  children: ReactNode
  why?: string
  /** The hash of the place to return to. */ hash?: string
}) {
  const me = member.use()
  const words = useWords('account')
  const { pathname, search } = useLocation()
  const loginPath = useLoginPath(pathname + search + hash)
  const registerPath = useRegisterPath(pathname + search + hash)
  const hasEnded = useHasSessionEnded()
  if (me === undefined) return null
  if (me || hasEnded) return children
  return (
    <p className="note">
      {why ?? words('membersOnly')}{' '}
      <Link to={loginPath} className="button">
        {words('logIn')}
      </Link>{' '}
      <Link to={registerPath}>{words('register')}</Link>
    </p>
  )
}
