import type { PlaceComponents, Places } from '#base/web/places.tsx'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { mayDo } from '#staff/admin/staff.tsx'

export const places: PlaceComponents = {
  'member.tabs': AccountsTab,
}

function AccountsTab({ member }: Places['member.tabs']) {
  const words = useWords('walletAdmin')
  return mayDo('wallet.view') && <Link to={`/admin/wallet/member?memberId=${member.id}`}>{words('accounts')}</Link>
}
