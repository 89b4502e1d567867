import { retryBrokenPictures } from '#file/web/broken-pictures.ts'

retryBrokenPictures()
