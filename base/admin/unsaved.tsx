import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { confirm } from '#base/web/ask.ts'
import { useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'

/** Stands in a form: whoever would leave after changing something there is asked first. What is being sent is no loss. */
export function Unsaved() {
  const words = useWords('admin')
  const { errors } = useForm()
  const mark = useRef<HTMLSpanElement>(null)
  const isChanged = useRef(false)
  const blocker = useBlocker(({ currentLocation: from, nextLocation: to }) => isChanged.current && from.pathname !== to.pathname)
  useEffect(() => {
    const form = mark.current?.closest('form')
    const change = () => void (isChanged.current = true)
    const send = () => void (isChanged.current = false)
    const leave = (event: BeforeUnloadEvent) => isChanged.current && event.preventDefault()
    form?.addEventListener('input', change)
    form?.addEventListener('submit', send)
    addEventListener('beforeunload', leave)
    return () => {
      form?.removeEventListener('input', change)
      form?.removeEventListener('submit', send)
      removeEventListener('beforeunload', leave)
    }
  }, [])
  useEffect(() => {
    // What was refused is not saved.
    if (Object.keys(errors).length > 0) isChanged.current = true
  }, [errors])
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void confirm(words('leaveTitle'), words('leave')).then((yes) => (yes ? blocker.proceed() : blocker.reset()))
  }, [blocker, words])
  return <span ref={mark} hidden />
}
