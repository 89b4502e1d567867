import { useLoaderData } from 'react-router'
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  type endTrustedDevice,
  type security,
} from '#account-security/contract.ts'
import css from '#base/web/lines.module.css'
import type { Output } from '#base/contract.ts'
import { deviceName } from '#base/device-name.ts'
import { useAction } from '#base/web/action.ts'
import { Field } from '#base/web/form.tsx'
import { useAddress } from '#base/web/region.ts'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { AppCodes } from '#second-factor/web/second-factor.tsx'

type Data = Output<typeof security>

const calls = { begin: beginSecondFactor, confirm: confirmSecondFactor, renew: renewRecoveryCodes, remove: removeSecondFactor }

/** The second factor after the password, and the devices that skip it. */
export function Page() {
  const words = useWords('accountSecurity')
  const { onSince, codesLeft, isStaff, devices } = useLoaderData<Data>()
  return (
    <section className="column">
      {isStaff ? (
        <p className="note">{words('ofStaff')}</p>
      ) : (
        <>
          {onSince && (
            <p className="meta">
              {words('onSince')} <Time at={onSince} />
            </p>
          )}
          <AppCodes endpoints={calls} isOn={onSince !== null} codesLeft={codesLeft}>
            <Field name="endsOthers" type="checkbox" label={words('endsOthers')} defaultChecked />
          </AppCodes>
        </>
      )}
      {onSince && <Devices devices={devices} />}
    </section>
  )
}

function Devices({ devices }: Pick<Data, 'devices'>) {
  const words = useWords('accountSecurity')
  const address = useAddress()
  const end = useAction<typeof endTrustedDevice>('/user/control/trustedDevice/end')
  return (
    <>
      <h2>{words('devices')}</h2>
      <p className="meta">{words(devices.length > 0 ? 'devicesWhat' : 'noDevices')}</p>
      <ul className={css.list}>
        {devices.map((one) => (
          <li key={one.id}>
            <div>
              <strong>{deviceName(one.device) ?? words('unknownDevice')}</strong>{' '}
              {one.isThis && <span className="mark">{words('thisDevice')}</span>}
              <p className="meta">
                {address(one)} · <Time at={one.usedAt} />
              </p>
            </div>
            <button
              type="button"
              className="button quiet"
              disabled={end.isBusy}
              onClick={() => void end.run({ deviceId: one.id }, { message: words('deviceEnded') })}
            >
              {words('endDevice')}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
