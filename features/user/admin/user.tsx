import { CropDialog, type CropDialogProps } from '#user/web/crop-dialog.tsx'

/** Asks staff which square of a picture is wanted, where it is seen as a square. */
export function SquareDialog(props: Omit<CropDialogProps, 'shape'>) {
  return <CropDialog {...props} shape="square" />
}
