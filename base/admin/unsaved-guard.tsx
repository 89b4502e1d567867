import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { useIsOtherVersion, useVersionConflict } from '#base/admin/conflict-side.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'

/** Placed in a form: asks before the page or the dialog is left with unsaved changes. A form being submitted has none. */
export function UnsavedGuard({ hasChanges = false }: { /** The form had changes before it was mounted. */ hasChanges?: boolean }) {
  return useIsOtherVersion() ? null : <Guard isBegun={hasChanges} />
}

function Guard({ isBegun }: { isBegun: boolean }) {
  const words = useWords('admin')
  const { errors } = useForm()
  useVersionConflict()
  const mark = useRef<HTMLSpanElement>(null)
  const isChanged = useRef(isBegun)
  const blocker = useBlocker(({ currentLocation: from, nextLocation: to }) => isChanged.current && pageOf(from) !== pageOf(to))
  useEffect(() => {
    const left = new AbortController()
    const form = mark.current?.closest('form')
    const dialog = mark.current?.closest('dialog')
    const heard = { signal: left.signal }
    form?.addEventListener('input', () => (isChanged.current = true), heard)
    form?.addEventListener('submit', () => (isChanged.current = false), heard)
    addEventListener('beforeunload', (event) => isChanged.current && event.preventDefault(), heard)
    dialog?.addEventListener(
      'cancel',
      (event) => {
        // A cancelled file chooser fires an event of the same name.
        if (!isChanged.current || event.target !== dialog) return
        event.preventDefault()
        void confirm(words('leaveTitle'), words('leave')).then((yes) => yes && dialog.close())
      },
      heard,
    )
    return () => left.abort()
  }, [words])
  useEffect(() => {
    // A refused form is not saved.
    if (Object.keys(errors).length > 0) isChanged.current = true
  }, [errors])
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void confirm(words('leaveTitle'), words('leave')).then((yes) => (yes ? blocker.proceed() : blocker.reset()))
  }, [blocker, words])
  return <span ref={mark} hidden />
}

function pageOf({ pathname, search }: { pathname: string; search: string }): string {
  return pathname + search
}
