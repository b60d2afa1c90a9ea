import type { UploadBench } from './answers.ts'
import type { BenchBrowser } from './open-browser.ts'
import type { ServedProduct } from './serve-behind-line.ts'

export interface Parallel {
  sizeBytes: number
  /** Seconds of one PUT of the whole. */
  wholeS: number
  /** Seconds as the upload page sends it, in parts. */
  partsS: number
}

/** The same number of bytes over a line that loses some, in one PUT and in the parts of the upload page. */
export async function measureParallel(
  product: ServedProduct,
  browser: BenchBrowser,
  sizeBytes: number,
): Promise<Parallel> {
  const send = async (isWhole: boolean) => {
    const page = await browser.openPage(product.pageUrl)
    const how = { sizeBytes, isWhole }
    const tookMs = await page.evaluate(
      (what) => (window as unknown as { bench: UploadBench }).bench.sendBytes(what),
      how,
    )
    await page.close()
    return tookMs / 1000
  }
  return { sizeBytes, wholeS: await send(true), partsS: await send(false) }
}
