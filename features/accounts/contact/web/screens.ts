import type { LoaderArgs, Screen } from '#base/web/screen.ts'
import type { emailBinding, phoneBinding } from '#contact/contract.ts'

export const screens: readonly Screen[] = [
  { path: '/user/control/phoneBinding', file: '/features/accounts/contact/web/binding-page.tsx', isInMemberArea: true, load: phone },
  {
    path: '/user/control/updatePhoneBinding/step1',
    file: '/features/accounts/contact/web/step-one-page.tsx',
    isInMemberArea: true,
    load: phone,
  },
  {
    path: '/user/control/updatePhoneBinding/step2',
    file: '/features/accounts/contact/web/step-two-page.tsx',
    isInMemberArea: true,
    load: phone,
  },
  { path: '/user/control/emailBinding', file: '/features/accounts/contact/web/binding-page.tsx', isInMemberArea: true, load: email },
  {
    path: '/user/control/updateEmailBinding/step1',
    file: '/features/accounts/contact/web/step-one-page.tsx',
    isInMemberArea: true,
    load: email,
  },
  {
    path: '/user/control/updateEmailBinding/step2',
    file: '/features/accounts/contact/web/step-two-page.tsx',
    isInMemberArea: true,
    load: email,
  },
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
