import type { PlaceComponents, Places } from '#base/web/places.tsx'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { mayDo } from '#staff/admin/staff.tsx'

export const places: PlaceComponents = {
  'member.tabs': MembershipsTab,
}

function MembershipsTab({ member }: Places['member.tabs']) {
  const words = useWords('membershipAdmin')
  return mayDo('membership.view') && <Link to={`/admin/membershipOrder/member?member=${member.id}`}>{words('memberships')}</Link>
}
