import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Lightbox, type Labels, type RenderSlideFooterProps, type SlideImage } from 'yet-another-react-lightbox'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import { pushHistoryStep } from '#base/web/history-step.ts'
import type { Translate } from '#base/web/words.tsx'
import 'yet-another-react-lightbox/styles.css'
import css from '#base/editor/picture-viewer.module.css'

/** Shows a post's pictures one at a time in full size. Esc, the cross and the browser's back button close it. */
export function viewPictures(pictures: readonly HTMLImageElement[], at: number, words: Translate): void {
  const back = document.activeElement
  const host = document.createElement('div')
  const root = createRoot(host)
  let close: () => void = () => undefined
  const step = pushHistoryStep(() => close())
  document.body.append(host)
  root.render(
    <Viewer
      slides={pictures.map((picture) => slideOf(picture, words('picture')))}
      at={at}
      words={words}
      left={left}
      onBack={(act) => void (close = act)}
    />,
  )

  function left(): void {
    step.leave()
    root.unmount()
    host.remove()
    if (back instanceof HTMLElement) back.focus({ preventScroll: true })
  }
}

/** A picture without a description is labelled as a picture. */
type PictureSlide = SlideImage & { caption: string; ground?: string | undefined }

type ViewerProps = { slides: PictureSlide[]; at: number; words: Translate; left: () => void; onBack: (close: () => void) => void }

function Viewer({ slides, at, words, left, onBack }: ViewerProps) {
  const [isOpen, setOpen] = useState(true)
  useEffect(() => onBack(() => setOpen(false)), [onBack])
  const isAlone = slides.length === 1
  return (
    <Lightbox
      open={isOpen}
      close={() => setOpen(false)}
      index={at}
      slides={slides}
      plugins={[Zoom]}
      carousel={{
        finite: true,
        padding: 0,
        preload: 1,
        imageProps: (slide) => ({ className: css.picture, ...('ground' in slide && { 'data-ground': slide.ground }) }),
      }}
      controller={{ closeOnBackdropClick: true, closeOnPullDown: true }}
      zoom={{ maxZoomPixelRatio: 3, scrollToZoom: true }}
      labels={labelsIn(words)}
      render={{
        slideFooter: ({ slide }: RenderSlideFooterProps) => <Footer slides={slides} at={slides.findIndex((one) => one === slide)} />,
        ...(isAlone && { buttonPrev: () => null, buttonNext: () => null }),
      }}
      styles={{ button: overPicture }}
      on={{ exited: left }}
    />
  )
}

// Icons visible on any picture.
const overPicture = { margin: 4, borderRadius: 8, background: 'rgb(0 0 0 / 0.5)', color: '#fff', filter: 'none' }

function Footer({ slides, at }: { slides: readonly PictureSlide[]; at: number }) {
  const { length } = slides
  const says = slides[at]?.caption
  if (!says && length === 1) return null
  return (
    <p className={css.footer}>
      <bdi>{says}</bdi>
      {length > 1 && (
        <span>
          {at + 1} / {length}
        </span>
      )}
    </p>
  )
}

function slideOf(picture: HTMLImageElement, name: string): PictureSlide {
  const [width, height] = [Number(picture.getAttribute('width')), Number(picture.getAttribute('height'))]
  const sizes = [...picture.srcset.matchAll(/(\S+) (\d+)w/g)].map(([, src = '', wide]) => ({ src, width: Number(wide) }))
  return {
    src: picture.src,
    alt: picture.alt || name,
    caption: picture.alt,
    ...(picture.dataset['ground'] && { ground: picture.dataset['ground'] }),
    ...(width &&
      height && { width, height, srcSet: sizes.map((size) => ({ ...size, height: Math.round((size.width * height) / width) })) }),
  }
}

function labelsIn(words: Translate): Labels {
  return {
    Previous: words('previousPicture'),
    Next: words('nextPicture'),
    Close: words('closePicture'),
    'Zoom in': words('zoomIn'),
    'Zoom out': words('zoomOut'),
    Lightbox: words('pictures'),
    'Photo gallery': words('pictures'),
    Carousel: words('pictures'),
    Slide: words('picture'),
    '{index} of {total}': '{index} / {total}',
  }
}
