import { useLater } from '#base/web/lazy-part.ts'
import type { AppCodesProps } from '#second-factor/web/app-codes.tsx'
import { finishProof, pendingProof } from '#second-factor/web/pending-proof.ts'

export { makePasskey, showPasskey } from '#second-factor/web/passkey.ts'
export { requestProof } from '#second-factor/web/pending-proof.ts'

/** The place of the re-authentication dialog, which loads at its first use. */
export function ProofDialogPlace() {
  const isAsked = pendingProof.use() !== null
  const part = useLater(
    () => import('#second-factor/web/proof-dialog.tsx'),
    isAsked,
    () => finishProof(false),
  )
  return part && <part.ProofDialog />
}

/** Codes of an authenticator app beside the password, on the page where one turns them on. */
export function AppCodes(props: AppCodesProps) {
  const part = useLater(() => import('#second-factor/web/app-codes.tsx'), true)
  return part && <part.AppCodes {...props} />
}
