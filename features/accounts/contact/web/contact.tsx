import { useWords } from '#base/web/words.tsx'
import { Link } from '#base/web/link.tsx'
import type { Kind } from '#contact/contract.ts'

export { AddressFields, useAddressState } from '#contact/web/address-fields.tsx'
export { CodeSteps } from '#contact/web/code-steps.tsx'

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

/** The reason why nothing is bound or changed here: no code could be sent. */
export function CannotSend({ kind }: { kind: Kind }) {
  const words = useWords('contact')
  return <p className="note">{words(kind === 'phone' ? 'noTextsNow' : 'noEmailsNow')}</p>
}

type BoundLineProps = {
  kind: Kind
  bound: string | null
  /** Whether a code can be sent, without which nothing is bound. */ canSend: boolean
}

/** One line of a list: the bound address, and the link to change it, where that is possible. */
export function BoundLine({ kind, bound, canSend }: BoundLineProps) {
  const words = useWords('contact')
  const what = words(kind)
  if (bound === null && !canSend) return null
  return (
    <li>
      <div>
        <strong>{what}</strong>
        <p className="meta">{bound ?? words('none')}</p>
      </div>
      {canSend && (
        <Link
          to={bound ? paths[kind].stepOne : paths[kind].binding}
          className="button quiet"
          aria-label={words(bound ? 'changeOf' : 'bindOf', { what })}
        >
          {words(bound ? 'change' : 'bind')}
        </Link>
      )}
    </li>
  )
}
