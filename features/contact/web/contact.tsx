import { useWords } from '#base/web/words.tsx'
import { Link } from '#base/web/link.tsx'
import type { Kind } from '#contact/contract.ts'

export { AddressFields, useTyped } from '#contact/web/address-fields.tsx'
export { CodeSteps } from '#contact/web/code-steps.tsx'

/** The pages of each kind. */
export const paths = {
  phone: {
    binding: '/user/control/phoneBinding',
    stepOne: '/user/control/updatePhoneBinding/step1',
    stepTwo: '/user/control/updatePhoneBinding/step2',
  },
  email: {
    binding: '/user/control/emailBinding',
    stepOne: '/user/control/updateEmailBinding/step1',
    stepTwo: '/user/control/updateEmailBinding/step2',
  },
} as const satisfies Record<Kind, Record<string, string>>

/** One line of a list: what the account is bound to, and the way to change it. */
export function BoundLine({ kind, bound }: { kind: Kind; bound: string | null }) {
  const words = useWords('contact')
  const what = words(kind)
  return (
    <li>
      <div>
        <strong>{what}</strong>
        <p className="meta">{bound ?? words('none')}</p>
      </div>
      <Link
        to={bound ? paths[kind].stepOne : paths[kind].binding}
        className="button quiet"
        aria-label={words(bound ? 'changeOf' : 'bindOf', { what })}
      >
        {words(bound ? 'change' : 'bind')}
      </Link>
    </li>
  )
}
