import { useLocation } from 'react-router'
import { useMember } from '#account/web/account.tsx'
import { MenuLink } from '#base/web/menu.tsx'
import { useWords } from '#base/web/words.tsx'
import { useSite } from '#setting/web/setting.tsx'

type Person = { id: string; name: string; isDeactivated: boolean }

export function GiveCard({ to: { id, name, isDeactivated } }: { to: Person }) {
  const words = useWords('membership')
  const me = useMember()
  const { sellsMembership } = useSite().frame
  if (!sellsMembership || !me || me.userId === id || isDeactivated) return null
  return <MenuLink to={`/membershipCardList?receiver=${encodeURIComponent(name)}`}>{words('give')}</MenuLink>
}

/** The receiver's name in the address. Only members give, so the shared page of the server contains no name. */
export function useReceiver(): string {
  const { search } = useLocation()
  const me = useMember()
  return (me && new URLSearchParams(search).get('receiver')) || ''
}

export function cardPath(cardId: string, { option, receiver }: { option?: string; receiver?: string } = {}): string {
  const query = new URLSearchParams({
    membershipCardId: cardId,
    ...(option && { specificationId: option }),
    ...(receiver && { receiver }),
  })
  return `/membershipCard?${query}`
}
