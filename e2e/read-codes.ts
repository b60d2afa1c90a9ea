import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

// The package itself would load it from the network.
const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'))
prepareZXingModule({ overrides: { wasmBinary: wasm.buffer as ArrayBuffer } })

/** What the QR codes on an image say, from top to bottom. */
export async function readCodes(image: Uint8Array): Promise<string[]> {
  const codes = await readBarcodes(image, { formats: ['QRCode'], maxNumberOfSymbols: 100 })
  return codes.toSorted((a, b) => a.position.topLeft.y - b.position.topLeft.y).map(({ text }) => text)
}
