import type { ReactNode } from 'react'
import { useLocation, useRevalidator } from 'react-router'
import { Link } from '#base/web/link.tsx'
import type { logout } from '#account/contract.ts'
import { encodeReturnPath } from '#base/return-path.ts'
import { useApi } from '#base/web/api.ts'
import { openEditors } from '#base/web/editor/open-editors.ts'
import { storeOf } from '#base/web/store.ts'
import { say } from '#base/web/toast.tsx'
import { removePair, storePair, type Pair } from '#base/web/token.ts'
import { useWords } from '#base/web/words.tsx'
import { member, type Me } from '#account/web/member-here.ts'
import { userInfoVersion } from '#setting/web/setting.tsx'

export { member, memberKnown, whenMemberLeaves, type Me } from '#account/web/member-here.ts'
export { Agreement } from '#account/web/agreement.tsx'
export { useToggle } from '#account/web/toggle.ts'

export function useMember(): Me | null {
  return member.use() ?? null
}

/** Whose session has ended while something of theirs was being written. */
const ended = storeOf<Me | null>(null)

/** Nobody is logged in here any more. What was being written stays before its writer until they leave it. */
export function endSession(): void {
  if (member.get() && openEditors.get().some((editor) => editor.isBegun())) {
    ended.set(member.get() ?? null)
    const stop = openEditors.watch(() => {
      if (openEditors.get().length > 0) return
      stop()
      ended.set(null)
    })
  }
  member.set(null)
}

/** Who writes here: a member, or one whose session ended while they wrote. */
export function writerHere(): Me | null {
  return member.get() ?? ended.get()
}

export function useHasEnded(): boolean {
  const isVisitor = member.use() === null
  return ended.use() !== null && isVisitor
}

/** The way to log in and then go on to `to`, or come back to where one is. Who is on such a way already stays on it. */
export function useLoginPath(to?: string): string {
  const { pathname, search } = useLocation()
  if (!to && ['/login', '/register'].includes(pathname)) return `/login${search}`
  return `/login?jumpUrl=${encodeReturnPath(to ?? pathname + search)}`
}

/** The same way for who is no member yet. */
export function useRegisterPath(to?: string): string {
  return useLoginPath(to).replace('/login', '/register')
}

/** Takes a login or a registration: the pair is stored, and base info asked again. */
export function signIn({ accessToken, refreshToken, systemUser }: Pair & { systemUser: Me }): void {
  storePair({ accessToken, refreshToken })
  member.set(systemUser)
  userInfoVersion.set(userInfoVersion.get() + 1)
}

export function useLogout(): () => Promise<void> {
  const api = useApi()
  const words = useWords('account')
  const { revalidate } = useRevalidator()
  return async () => {
    await api.write<typeof logout>('/account/logout', {})
    removePair()
    ended.set(null)
    member.set(null)
    userInfoVersion.set(userInfoVersion.get() + 1)
    say(words('loggedOut'))
    // What only members see must not stay on the page.
    await revalidate()
  }
}

/** Shows its children to members, and to visitors how to become one. Nothing while it is not known who asks. */
export function MembersOnly({
  children,
  why,
  place = '',
}: {
  children: ReactNode
  why?: string
  /** Where they go on, as a hash. */ place?: string
}) {
  const me = member.use()
  const words = useWords('account')
  const { pathname, search } = useLocation()
  const loginPath = useLoginPath(pathname + search + place)
  const registerPath = useRegisterPath(pathname + search + place)
  const hasEnded = useHasEnded()
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
