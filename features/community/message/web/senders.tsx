import { useState } from 'react'
import { useApi } from '#base/web/api.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit } from '#base/web/form.tsx'
import { useNeeded } from '#base/web/lazy-part.ts'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { changeMessageSettings, senders, type messageSettings, type Senders } from '#message/contract.ts'
import css from '#message/web/list.module.css'

type Props = { isOpen: boolean; close: () => void }

const labels: Record<Senders, { label: string; help: string }> = {
  everybody: { label: 'fromEverybody', help: 'fromEverybodyHelp' },
  followed: { label: 'fromFollowed', help: 'fromFollowedHelp' },
  nobody: { label: 'fromNobody', help: 'fromNobodyHelp' },
}

/** The setting of the senders who need no request. */
export function SendersDialog({ isOpen, close }: Props) {
  const words = useWords('message')
  return (
    <Dialog title={words('sendersSetting')} isOpen={isOpen} close={close}>
      <SendersForm close={close} />
    </Dialog>
  )
}

function SendersForm({ close }: Pick<Props, 'close'>) {
  const words = useWords('message')
  const api = useApi()
  const { part, hasFailed, retry } = useNeeded(() => api.read<typeof messageSettings>('/user/control/privateMessageSettings', {}))
  if (hasFailed) return <Failed retry={retry} />
  if (!part) return <Skeleton lines={3} />

  function done(): void {
    close()
    toast(words('saved'))
  }
  return (
    <Form endpoint={changeMessageSettings} onSuccess={done}>
      <Choices from={part.from} />
      <p className="actions">
        <Submit>{words('save')}</Submit>
      </p>
    </Form>
  )
}

function Choices({ from }: { from: Senders }) {
  const words = useWords('message')
  const [chosen, choose] = useState(from)
  return (
    <fieldset className={css.choices}>
      <legend className="hidden">{words('sendersSetting')}</legend>
      {senders.map((one) => (
        <label key={one}>
          <input type="radio" name="from" value={one} checked={chosen === one} onChange={() => choose(one)} />
          <span>
            {words(labels[one].label)}
            <small>{words(labels[one].help)}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
