import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { mayDo } from '#staff/admin/staff.tsx'

/** The link from the settings of payments to the state of the providers. */
export function ProvidersLink() {
  const words = useWords('paymentAdmin')
  if (!mayDo('payment.view')) return null
  return (
    <p className="note">
      {words('providersWhat')} <Link to="/admin/payment/provider">{words('toProviders')}</Link>
    </p>
  )
}
