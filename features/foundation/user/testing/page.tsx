import { useEffect, useState } from 'react'
// First, since it configures zod for a content security policy without eval.
import '#base/web/no-eval.ts'
import { renderTestPage } from '#base/testing/test-page.tsx'
import { CropDialog } from '#user/web/crop-dialog.tsx'

/** A test page: a square picture of 640 pixels to crop. */

async function aPicture(): Promise<File> {
  const canvas = new OffscreenCanvas(640, 640)
  const ground = canvas.getContext('2d')
  if (ground) {
    ground.fillStyle = '#2f6f4f'
    ground.fillRect(0, 0, 640, 640)
  }
  return new File([await canvas.convertToBlob()], 'cup.png', { type: 'image/png' })
}

function Page() {
  const [file, setFile] = useState<File | null>(null)
  useEffect(() => void aPicture().then(setFile), [])
  return file && <CropDialog file={file} title="A cup" shape="round" close={() => undefined} send={() => Promise.resolve()} />
}

renderTestPage([{ path: '*', Component: Page }])
