import { useCallback, useEffect, useState, type FormEvent } from 'react'
import { Dialog } from '#base/web/dialog.tsx'
import { useWords } from '#base/web/words.tsx'
import { UploadRefused } from '#file/web/file.ts'
import { inPixels, maxZoom, zoomOf, largestSquare, zoomed, type Crop } from '#user/web/crop.ts'
import { Cropped, CropStage, type Choose, type Loaded } from '#user/web/crop-stage.tsx'
import css from '#user/web/crop-dialog.module.css'

type CropPart = ReturnType<typeof inPixels>
export type CropDialogProps = {
  file: File
  title: string
  /** The shape in which it will be shown. */
  shape: 'round' | 'square'
  close: () => void
  send: (part: CropPart, onProgress: (part: number) => void) => Promise<void>
}

/** Lets one choose a square of a picture, and sends it. */
export function CropDialog({ file, title, shape, close, send: sends }: CropDialogProps) {
  const words = useWords('user')
  const { picture, fails } = useLoaded(file)
  const [chosen, setChosen] = useState<Crop | null>(null)
  const { send, part, refused } = useSending(sends)
  const crop = chosen ?? (picture && largestSquare(picture))
  const choose: Choose = useCallback((change) => setChosen((now) => picture && change(now ?? largestSquare(picture))), [picture])
  const problem = refused ?? (fails ? words('pictureNotShown') : null)

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (picture && crop) void send(inPixels(crop, picture))
  }

  return (
    <Dialog title={title} isOpen close={close}>
      <form onSubmit={submit}>
        {picture && crop && <Choice picture={picture} crop={crop} choose={choose} shape={shape} />}
        {problem && (
          <p className="wrong" role="alert">
            {problem}
          </p>
        )}
        <p className={css.actions}>
          <button type="button" className="button quiet" onClick={close}>
            {words('keepOldAvatar')}
          </button>
          <button type="submit" className="button" disabled={!crop || part !== null} aria-busy={part !== null}>
            {part === null ? words('useAvatar') : words('sendingAvatar', { percent: Math.round(part * 100) })}
          </button>
        </p>
      </form>
    </Dialog>
  )
}

type ChoiceProps = { picture: Loaded; crop: Crop; choose: Choose; shape: CropDialogProps['shape'] }

function Choice({ picture, crop, choose, shape }: ChoiceProps) {
  const words = useWords('user')
  return (
    <>
      <div className={css.both} data-shape={shape}>
        <CropStage picture={picture} crop={crop} choose={choose} />
        <span className={css.previews} aria-hidden="true">
          {['96', '40'].map((size) => (
            <span key={size} className={css.preview} data-size={size}>
              <Cropped picture={picture} crop={crop} />
            </span>
          ))}
        </span>
      </div>
      <p className={css.help}>{words('cropHelp')}</p>
      <div className={css.sliders}>
        <Slider
          label={words('zoom')}
          least={1}
          most={maxZoom(picture)}
          value={zoomOf(crop, picture)}
          isFirst
          choose={(to) => choose((now) => zoomed(now, to, picture))}
        />
        <Slider label={words('across')} most={picture.width - crop.side} value={crop.x} choose={(x) => choose((now) => ({ ...now, x }))} />
        <Slider label={words('down')} most={picture.height - crop.side} value={crop.y} choose={(y) => choose((now) => ({ ...now, y }))} />
      </div>
    </>
  )
}

type SliderProps = { label: string; least?: number; most: number; value: number; choose: (value: number) => void; isFirst?: boolean }

function Slider({ label, least = 0, most, value, choose, isFirst }: SliderProps) {
  return (
    <label>
      {label}
      <input
        type="range"
        min={least}
        max={most}
        step={(most - least) / 100 || 1}
        value={value}
        disabled={most <= least}
        // It mounts when the picture is loaded, after the dialog has focused its close button.
        autoFocus={isFirst}
        onChange={(event) => choose(Number(event.target.value))}
      />
    </label>
  )
}

/** The file as an image, with its displayed size. */
function useLoaded(file: File): { picture: Loaded | null; fails: boolean } {
  const [picture, setPicture] = useState<Loaded | null>(null)
  const [fails, setFails] = useState(false)
  useEffect(() => {
    const src = URL.createObjectURL(file)
    const image = new Image()
    image.addEventListener('load', () => setPicture({ src, width: image.naturalWidth, height: image.naturalHeight }))
    image.addEventListener('error', () => setFails(true))
    image.src = src
    return () => {
      URL.revokeObjectURL(src)
      setPicture(null)
      setFails(false)
    }
  }, [file])
  return { picture, fails }
}

function useSending(sends: CropDialogProps['send']) {
  const [part, setPart] = useState<number | null>(null)
  const [refused, setRefused] = useState<string | null>(null)

  async function send(crop: CropPart): Promise<void> {
    setPart(0)
    setRefused(null)
    try {
      await sends(crop, setPart)
    } catch (error) {
      if (!(error instanceof UploadRefused)) throw error
      setRefused(error.message)
    } finally {
      setPart(null)
    }
  }

  return { send, part, refused }
}
