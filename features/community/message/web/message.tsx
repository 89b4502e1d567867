import { member, useLoginPath } from '#account/web/account.tsx'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { useSite } from '#setting/web/setting.tsx'

/** The link to write to a member: not to oneself, nor to a closed account. A visitor logs in first. */
export function WriteTo({ of: { id, isDeactivated } }: { of: { id: string; isDeactivated: boolean } }) {
  const words = useWords('message')
  const me = member.use()
  const path = `/user/control/privateMessageChatList?userId=${id}`
  const toLogin = useLoginPath(path)
  const { open } = useSite()
  if (!open.messages || isDeactivated || me?.userId === id) return null
  return (
    <Link to={me ? path : toLogin} className="button quiet" data-action="message">
      {words('write')}
    </Link>
  )
}
