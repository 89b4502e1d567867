import type { LoaderArgs, Screen } from '#apps/web/screen.ts'
import type { emailBinding, phoneBinding } from '#contact/contract.ts'

const web = '../../features/contact/web'

/** The pages of the member's own phone number and e-mail address. */
export const contacts: readonly Screen[] = [
  { path: '/user/control/phoneBinding', file: `${web}/binding-page.tsx`, load: phone },
  { path: '/user/control/updatePhoneBinding/step1', file: `${web}/step-one-page.tsx`, load: phone },
  { path: '/user/control/updatePhoneBinding/step2', file: `${web}/step-two-page.tsx`, load: phone },
  { path: '/user/control/emailBinding', file: `${web}/binding-page.tsx`, load: email },
  { path: '/user/control/updateEmailBinding/step1', file: `${web}/step-one-page.tsx`, load: email },
  { path: '/user/control/updateEmailBinding/step2', file: `${web}/step-two-page.tsx`, load: email },
]

async function phone({ api }: LoaderArgs) {
  return { kind: 'phone' as const, ...(await api.read<typeof phoneBinding>('/user/control/phoneBinding', {})) }
}

async function email({ api }: LoaderArgs) {
  return {
    kind: 'email' as const,
    ...(await api.read<typeof emailBinding>('/user/control/emailBinding', {})),
  }
}
