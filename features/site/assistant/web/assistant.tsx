import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { assistantIsOpen, codeExplainer } from '#base/web/assistant.ts'
import { later, useLater } from '#base/web/lazy-part.ts'
import { StrokeIcon } from '#base/web/stroke-icon.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { useSite } from '#setting/web/setting.tsx'

/** Opens the assistant's panel, for members who may use it. The panel is loaded on first use. */
export function AssistantButton() {
  const { allowChat } = useSite().aiAssistantParameter
  useEffect(() => keepRoom(allowChat), [allowChat])
  return allowChat && <Opener />
}

/** Reserves the place in the header of the next page before the user is known, so that the layout does not shift. */
function keepRoom(isThere: boolean): void {
  document.documentElement.toggleAttribute('data-assistant', isThere)
  try {
    if (isThere) localStorage.setItem('assistant', '1')
    else localStorage.removeItem('assistant')
  } catch {
    // storage unavailable: the header shifts
  }
}

function Opener() {
  const words = useWords('assistant')
  const callWords = useWords('call')
  const isOpen = assistantIsOpen.use()
  useExplainer()
  const panel = useLater(
    () => import('#assistant/web/panel.tsx'),
    isOpen,
    () => {
      assistantIsOpen.set(false)
      toast(callWords('offline'))
    },
  )
  return (
    <>
      <button
        type="button"
        className="icon"
        aria-label={words('title')}
        title={words('title')}
        aria-expanded={isOpen}
        onClick={() => assistantIsOpen.set(!isOpen)}
      >
        <StrokeIcon path={sparkle} />
      </button>
      {panel && createPortal(<panel.Panel />, document.body)}
    </>
  )
}

/** Offers to explain code in posts, while this button is mounted. */
function useExplainer(): void {
  const words = useWords('assistant')
  const callWords = useWords('call')
  useEffect(() => {
    codeExplainer.set((code, language) => {
      later(import('#assistant/web/explain.ts')).then(
        ({ explain }) => explain(words('explainThis'), code, language),
        () => toast(callWords('offline')),
      )
    })
    return () => codeExplainer.set(null)
  }, [words, callWords])
}

const sparkle =
  'M9 3.500l1.500 4.500 4.500 1.500-4.500 1.500L9 15.500l-1.500-4.500L3 9.500 7.500 8zM15.500 13.500v3.500M13.750 15.250h3.500'
