import type { PlaceComponents, Places } from '#base/web/places.tsx'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { mayDo } from '#staff/admin/staff.tsx'

export const places: PlaceComponents = {
  'member.tabs': PaymentsTab,
}

function PaymentsTab({ member }: Places['member.tabs']) {
  const words = useWords('paymentAdmin')
  return mayDo('payment.view') && <Link to={`/admin/payment/member?member=${member.id}`}>{words('payments')}</Link>
}
