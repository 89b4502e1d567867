import { AppCodes } from '#second-factor/web/second-factor.tsx'
import type { Me } from '#staff/admin/staff.tsx'
import { beginSecondFactor, confirmSecondFactor, removeSecondFactor, renewRecoveryCodes } from '#staff/contract.ts'

const calls = { begin: beginSecondFactor, confirm: confirmSecondFactor, renew: renewRecoveryCodes, remove: removeSecondFactor }

/** Second factor of staff: codes of an authenticator app beside the password. */
export function SecondFactor({ who, saved }: { who: Me; saved: () => void }) {
  return <AppCodes endpoints={calls} isOn={who.hasSecondFactor} codesLeft={who.recoveryCodesLeft} saved={saved} />
}
