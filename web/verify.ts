import './verify/verify.css'
import { showVerifyPage } from './verify/verify-page.ts'

const root = document.querySelector<HTMLElement>('#root')
if (root !== null) showVerifyPage(root)
