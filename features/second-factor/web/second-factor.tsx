import { useLater } from '#base/web/later.ts'
import type { AppCodesProps } from '#second-factor/web/app-codes.tsx'
import { answer, wish } from '#second-factor/web/wish.ts'

export { makePasskey, showPasskey } from '#second-factor/web/passkey.ts'
export { askToProve } from '#second-factor/web/wish.ts'

/** The place of the re-authentication dialog, which loads at its first use. */
export function Proving() {
  const isAsked = wish.use() !== null
  const part = useLater(
    () => import('#second-factor/web/prove-dialog.tsx'),
    isAsked,
    () => answer(false),
  )
  return part && <part.ProveDialog />
}

/** Codes of an authenticator app beside the password, on the page where one turns them on. */
export function AppCodes(props: AppCodesProps) {
  const part = useLater(() => import('#second-factor/web/app-codes.tsx'), true)
  return part && <part.AppCodes {...props} />
}
