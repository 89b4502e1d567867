import { useLocation } from 'react-router'
import { useMember } from '#account/web/account.tsx'
import { MenuLink } from '#base/web/menu.tsx'
import { useWords } from '#base/web/words.tsx'
import { useSite } from '#setting/web/setting.tsx'

type Person = { id: string; name: string; isDeactivated: boolean }

/** The way to give a card to another member, while there are cards. */
export function GiveCard({ to: { id, name, isDeactivated } }: { to: Person }) {
  const words = useWords('membership')
  const me = useMember()
  const { sellsMembership } = useSite().frame
  if (!sellsMembership || !me || me.userId === id || isDeactivated) return null
  return <MenuLink to={`/membershipCardList?receiver=${encodeURIComponent(name)}`}>{words('give')}</MenuLink>
}

/** The name in the address of who shall get the card. Members alone give, and what the server makes for everybody names no one. */
export function useReceiver(): string {
  const { search } = useLocation()
  const me = useMember()
  return (me && new URLSearchParams(search).get('receiver')) || ''
}

/** The address of a card, with an option of it and who shall get it. */
export function cardPath(cardId: string, { option, receiver }: { option?: string; receiver?: string } = {}): string {
  const query = new URLSearchParams({
    membershipCardId: cardId,
    ...(option && { specificationId: option }),
    ...(receiver && { receiver }),
  })
  return `/membershipCard?${query}`
}
