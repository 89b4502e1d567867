import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { member, type Me } from '#account/web/current-member.ts'
import { useLogout } from '#account/web/sign-in.ts'
import { Link } from '#base/web/link.tsx'
import { storedPair } from '#base/web/token.ts'
import { useWords } from '#base/web/words.tsx'
import { Avatar } from '#user/web/user.tsx'

/**
 * The member who was logged in when the page opened: null for a visitor, undefined until known. A login on this page does not change it.
 */
export function useMemberAtLoad(): Me | null | undefined {
  const me = member.use()
  const [found, setFound] = useState(() => (me === undefined && !storedPair() ? null : me))
  if (found === undefined && me !== undefined) setFound(me)
  if (found && me?.userId !== found.userId) setFound(me ?? null)
  return found
}

/** Redirects a member who does not need the form to their destination. */
export function Redirecting({ path }: { path: string }) {
  const go = useNavigate()
  useEffect(() => void go(path, { replace: true }), [go, path])
  return null
}

/** Replaces the form for a member without a destination: go on, or use another account. */
export function AlreadyLoggedIn({ me, path }: { me: Me; path: string }) {
  const words = useWords('account')
  const logOut = useLogout()
  const name = me.nickname ?? me.account
  return (
    <section className="narrow empty">
      <Avatar of={{ id: me.userId, name, avatar: me.avatar }} size={64} />
      <h1>{words('alreadyIn', { name })}</h1>
      <p className="actions">
        <Link to={path} replace className="button">
          {words('goOn')}
        </Link>
        <button type="button" className="button quiet" onClick={() => void logOut()}>
          {words('asAnother')}
        </button>
      </p>
    </section>
  )
}
