import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { mayDo } from '#staff/admin/staff.tsx'

/** From the settings of payments to where one sees whether they work. */
export function ProvidersLink() {
  const words = useWords('paymentAdmin')
  if (!mayDo('payment.view')) return null
  return (
    <p className="note">
      {words('providersWhat')} <Link to="/admin/payment/provider">{words('toProviders')}</Link>
    </p>
  )
}
