import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { useLoaderData, useRevalidator } from 'react-router'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { useAction } from '#base/web/action.ts'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { acceptedPictures, UploadRefused, useSendPicture } from '#file/web/file.ts'
import { changeLook, maxKilobytes, type listLook, type removeLook, type returnLook } from '#look/contract.ts'
import { Brand } from '#look/web/look.tsx'
import type { baseInfo } from '#setting/contract.ts'
import { site, useSite } from '#setting/web/setting.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import grounds from '#base/admin/theme-backgrounds.module.css'
import css from '#look/admin/look.module.css'

type LookEntry = Output<typeof listLook>['pictures'][number]
type Picture = { src: string; width: number; height: number }

/** The pictures of the site: a preview of each on light and dark backgrounds, and the form to change it. */
export function Page() {
  const words = useWords('lookAdmin')
  const { pictures } = useLoaderData<Output<typeof listLook>>()
  const hasLogo = pictures.some(({ which, now }) => which === 'logo' && now)
  return (
    <>
      <h1>{words('look')}</h1>
      <p className="meta">{words('what')}</p>
      {pictures.map((one) => (one.which !== 'logoDark' || one.now || hasLogo) && <PictureSection key={one.which} {...one} />)}
    </>
  )
}

function PictureSection({ which, now, earlier }: LookEntry) {
  const words = useWords('lookAdmin')
  const may = mayDo('setting.change')
  return (
    <section aria-labelledby={which} className={css.part}>
      <h2 id={which}>{words(which)}</h2>
      {may ? <ChooseForm which={which} now={now} /> : <Preview which={which} picture={now} />}
      {earlier.length > 0 && <Earlier which={which} earlier={earlier} may={may} />}
    </section>
  )
}

/** A preview of a chosen picture before it is saved. */
function ChooseForm({ which, now }: Pick<LookEntry, 'which' | 'now'>) {
  const words = useWords('lookAdmin')
  const button = useRef<HTMLButtonElement>(null)
  const { chosen, take } = useChosenFile()
  const { wrong, setWrong, isBusy, send } = useUpload(which)

  // Moves the focus, which would be lost with the removed button.
  function choose(file: File | null, problem = ''): void {
    setWrong(problem)
    take(file)
    button.current?.focus()
  }

  return (
    <>
      <Preview which={which} picture={chosen?.picture ?? now} />
      <div className={css.actions}>
        {chosen && (
          <button
            type="button"
            className="button"
            aria-disabled={isBusy || undefined}
            onClick={() => void send(chosen.file).then((problem) => choose(null, problem))}
          >
            {words('show')}
          </button>
        )}
        <FileButton which={which} label={words(chosen || now ? 'chooseAnother' : 'choose')} ref={button} take={choose} />
        {chosen && (
          <button type="button" className="plain" onClick={() => choose(null)}>
            {words('leaveIt')}
          </button>
        )}
        {!chosen && now && <Remove which={which} />}
      </div>
      <p id={`${which}-help`} className={wrong ? 'wrong' : 'help'} role={wrong ? 'alert' : undefined}>
        {wrong || words(`${which}Help`)}
      </p>
    </>
  )
}

type FileButtonProps = { which: string; label: string; ref: RefObject<HTMLButtonElement | null>; take: (file: File | null) => void }

function FileButton({ which, label, ref, take }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={acceptedPictures}
        hidden
        data-which={which}
        onChange={({ target }) => {
          take(target.files?.[0] ?? null)
          target.value = ''
        }}
      />
      <button ref={ref} type="button" className="button quiet" aria-describedby={`${which}-help`} onClick={() => input.current?.click()}>
        {label}
      </button>
    </>
  )
}

function Remove({ which }: Pick<LookEntry, 'which'>) {
  const words = useWords('lookAdmin')
  const refresh = useRefresh()
  const remove = useAction<typeof removeLook>('/admin/look/remove')
  const go = () => void remove.run({ which }, { message: words('removed') }).then(refresh)
  return (
    <button type="button" className="plain" disabled={remove.isBusy} onClick={go}>
      {words('remove')}
    </button>
  )
}

/** Uploads a picture; returns the error, if any. */
function useUpload(which: LookEntry['which']) {
  const words = useWords('lookAdmin')
  const refresh = useRefresh()
  const { revalidate } = useRevalidator()
  const sendPicture = useSendPicture<typeof changeLook>(changeLook.path, maxKilobytes)
  const [wrong, setWrong] = useState('')
  const [isBusy, setBusy] = useState(false)

  async function send(file: File): Promise<string> {
    if (isBusy) return ''
    setBusy(true)
    try {
      await sendPicture(file, { which })
      await Promise.all([revalidate(), refresh()])
      toast(words('changed'))
      return ''
    } catch (error) {
      if (!(error instanceof UploadRefused)) throw error
      return error.message
    } finally {
      setBusy(false)
    }
  }

  return { wrong, setWrong, isBusy, send }
}

type ChosenFile = { file: File; picture: Picture }

/** A chosen picture at a blob URL. An unreadable one is sent all the same: the server reports the error. */
function useChosenFile() {
  const [chosen, setChosen] = useState<ChosenFile | null>(null)
  useEffect(() => () => URL.revokeObjectURL(chosen?.picture.src ?? ''), [chosen])

  function take(file: File | null): void {
    if (!file) return setChosen(null)
    const image = new Image()
    image.src = URL.createObjectURL(file)
    const showPreview = () =>
      setChosen({ file, picture: { src: image.src, width: image.naturalWidth || 1, height: image.naturalHeight || 1 } })
    image.decode().then(showPreview, showPreview)
  }

  return { chosen, take }
}

function Preview({ which, picture }: { which: LookEntry['which']; picture: Picture | null }) {
  const words = useWords('lookAdmin')
  const { title } = useSite()
  const shownOn = { logo: ['light', 'dark'], logoDark: ['dark'], icon: ['light', 'dark'] } as const
  return (
    <div className={css.grounds}>
      {shownOn[which].map((background) => (
        <div key={background} className={`${css.ground} ${grounds[background]}`}>
          {which === 'icon' ? <Icon picture={picture} title={title} /> : <Logo picture={picture} title={title} none={words('noLogo')} />}
        </div>
      ))}
    </div>
  )
}

function Logo({ picture, title, none }: { picture: Picture | null; title: string; none: ReactNode }) {
  if (!picture) return <span>{none}</span>
  return <Brand title={title} logo={{ ...picture, onDark: null }} house={null} />
}

function Icon({ picture, title }: { picture: Picture | null; title: string }) {
  const src = picture?.src ?? '/touch-icon.png'
  return (
    <>
      <img src={src} alt="" width={64} height={64} className={css.home} />
      <img src={src} alt="" width={16} height={16} />
      <span>{title}</span>
    </>
  )
}

function Earlier({ which, earlier, may }: Pick<LookEntry, 'which' | 'earlier'> & { may: boolean }) {
  const words = useWords('lookAdmin')
  const refresh = useRefresh()
  const again = useAction<typeof returnLook>('/admin/look/return')
  return (
    <details>
      <summary>{words('earlier')}</summary>
      <ul className={css.earlier}>
        {earlier.map(({ picture, by, at }) => (
          <li key={picture.file}>
            <img src={picture.src} alt="" width={picture.width} height={picture.height} loading="lazy" />
            <span className="meta">
              {words('takenAwayBy', { by })} <Time at={at} />
            </span>
            {may && (
              <button
                type="button"
                className="plain"
                disabled={again.isBusy}
                onClick={() => void again.run({ which, file: picture.file }, { message: words('changed') }).then(refresh)}
              >
                {words('again')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The header shows the picture too. */
function useRefresh(): () => Promise<void> {
  const api = useApi()
  return () =>
    api.read<typeof baseInfo>('/baseInfo', {}, { silent: true, background: true }).then(
      (now) => site.set(now),
      (error: unknown) => console.info('What the frame says of the site may be old', error),
    )
}
