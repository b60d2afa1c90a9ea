/**
 * Narrations of procedures with how the same person says them in a later recording. The first line is the order of the
 * steps there; `=` begins a step; a line is a sentence as said before and after, or only before (`… |`) or after (`| …`).
 */
export const RECORDINGS: readonly string[] = [
  `bicycle tube: 1 2 3 5 4 6 7
= Take the wheel out
First flip the bike upside down so that it rests on the saddle. | Start by turning the bike over so it stands on its saddle.
Open the quick release lever and lift the wheel out of the frame. | Open the quick release and lift out the wheel.
= Take the tyre off
Push two tyre levers under the edge of the tyre. | Now push a pair of tyre levers under the bead of the tyre.
Slide one of them around the rim until the tyre comes off on one side. | Slide one around the rim until this side of the tyre is off.
= Find the hole
Pump some air into the tube and listen for the leak. | Put a little air into the tube and listen where it leaks.
You can also hold it under water and look for bubbles. |
= Roughen the place
Rub the spot with sandpaper until it is dull. | Take the sandpaper and rub the spot until it looks dull.
= Look inside the tyre
Feel along the inside of the tyre for glass or a thorn. | Before that, feel along the inside of the tyre for thorns or bits of glass.
If you find one pull it out with pliers. | If there is one, pull it out with the pliers.
= Glue the patch
Spread a thin layer of rubber cement and wait five minutes. | Spread rubber cement thinly over it and give it five minutes.
Press the patch on firmly with your thumb. | Then press the patch on hard with your thumb.
= Put everything back
Put the tube back into the tyre and lever the tyre onto the rim. | The tube goes back into the tyre and the tyre back onto the rim.
Pump it up to four bar and close the quick release. | Inflate to four bar, close the quick release, and you are done.`,
  `coffee machine: 1 2 3 4 5 6
= Fill the tank
Lift the water tank off at the back and fill it with cold water. | The water tank is at the back, lift it off and fill it with cold water.
Do not go over the line that says max. | Stay below the max line.
= Switch the machine on
Press the power button for two seconds. | Hold the power button for about two seconds.
The lights blink while it heats up. | While it is heating the lights blink.
= + Rinse the group
| A new thing since last year, rinse the brewing group before the first cup.
| Put an empty cup under the spout and press the rinse key once.
= Grind the beans
Choose fine grinding on the dial and put in eighteen grams of beans. | Set the dial to fine and weigh eighteen grams of beans.
= Tamp the coffee
Level the coffee in the portafilter and press down with the tamper. | Level the ground coffee in the portafilter and press with your tamper.
Use about fifteen kilos of pressure. | Fifteen kilos of pressure or so is right.
= Pull the shot
Lock the portafilter in and start the pump. | Now lock in the portafilter and start the pump.
Stop after twenty five seconds or when the stream turns blond. | Stop it at twenty five seconds or when the stream goes blond.`,
  `quarterly report: 1 2 4 3 5 6
= Open the ledger
In the accounting program click reports and then general ledger. | Go to reports in the accounting program and click general ledger.
Choose the last quarter in the list of periods. | In the periods list choose the last quarter.
= Export it
Click export at the top right and take the spreadsheet format. | At the top right click export, spreadsheet format.
Save the file on the finance drive. | The file is saved on the finance drive.
= Remove empty rows
Open the file and filter the amount column for blanks. | Filter the amount column for blanks.
Select all of these rows and delete them. | Select these rows and delete all of them.
= Freeze the headings
On the view tab click freeze top row. | Open the file, and on the view tab freeze the top row.
So the headings stay while you scroll. | That way the headings stay when you scroll.
= Make the pivot table
Select all data and insert a pivot table on a new sheet. | Select everything and insert a pivot table on its own sheet.
Drag department to rows and amount to values. | Department goes into the rows and amount into the values.
= Send it
Attach the workbook to an email to the controller. | Write an email to the controller and attach the workbook.
Put the quarter into the subject. | The quarter belongs in the subject line.`,
  `forklift check: 1 2 3 4 5 6 7
= Walk around
Walk around the forklift once and look for oil on the floor. | Go around the truck once and look at the floor for oil.
= Check the forks
Look at the forks for cracks and check that both locking pins sit tight. | Check both forks for cracks and see that the locking pins are tight.
Cracked forks are reported to the shift leader at once. | Report cracked forks to your shift leader right away.
= Check the tyres
Look for cuts in the tyres and for loose wheel nuts. | Tyres, look for cuts, and see whether a wheel nut is loose.
= Check the chains
Both lifting chains have the same tension. | The two lifting chains must have equal tension.
Press them with your thumb to compare. | Compare them by pressing with a thumb.
= Sit down and belt up
Climb on with three points of contact and fasten the seat belt. | Always climb on with three points of contact, then fasten the belt.
Set the mirror so that you see the area behind you. |
= Test the brakes
Drive a metre and step on the brake. | Drive forward one metre and brake.
Then pull the parking brake and try to drive off. | After that try to drive off with the parking brake pulled.
= Sign the sheet
Write the date and the hours of the meter on the check sheet and sign it. | On the check sheet write the date and the meter hours, and sign.`,
  `bread dough: 2 1 3 4 5 6
= Weigh the flour
Weigh five hundred grams of wheat flour into the big bowl. | Now five hundred grams of wheat flour into the big bowl.
Add ten grams of salt and mix it in. | Ten grams of salt go in too, mix it.
= Dissolve the yeast
Crumble the fresh yeast into three hundred millilitres of warm water. | Begin with the yeast, crumble it into three hundred millilitres of warm water.
Stir until nothing is left of the lumps. | Stir until no lumps are left.
= Knead
Pour the water onto the flour and knead for ten minutes by hand. | Pour the yeast water onto the flour and knead ten minutes by hand.
The dough is right when it no longer sticks to the table. | It is right when the dough does not stick to the table any more.
= Let it rise
Cover the bowl with a damp towel and leave it in a warm place for an hour. | Leave it for an hour in a warm place under a damp towel.
= Shape the loaf
Fold the edges into the middle and turn the loaf over. | Fold the edges towards the middle, then turn the loaf around.
Cut the top crosswise with a sharp knife. | With a sharp knife cut the top crosswise.
= Bake
Bake it at two hundred and thirty degrees for thirty five minutes. | It bakes thirty five minutes at two hundred and thirty degrees.
Knock on the bottom, a hollow sound means it is done. | Knock on its bottom, if it sounds hollow it is done.`,
  `drucker warten: 1 3 2 4 5
= Drucker ausschalten
Schalten Sie den Drucker am Hauptschalter aus und ziehen Sie den Stecker. | Zuerst den Drucker am Hauptschalter ausschalten und den Stecker ziehen.
Warten Sie, bis die Heizung abgekühlt ist. | Warten Sie, bis sich die Heizung abgekühlt hat.
= Papierfach reinigen
Ziehen Sie die Kassette heraus und wischen Sie den Papierstaub ab. | Die Kassette herausziehen und den Staub vom Papier abwischen.
Nehmen Sie dafür ein trockenes Tuch ohne Fusseln. | Dafür nehmen Sie ein fusselfreies, trockenes Tuch.
= Toner wechseln
Öffnen Sie die vordere Klappe und nehmen Sie die leere Tonerkartusche heraus. | Dann öffnen Sie vorne die Klappe und holen die leere Tonerkartusche heraus.
Schütteln Sie die neue Kartusche fünfmal, bevor Sie sie einsetzen. | Die neue Kartusche fünfmal schütteln und einsetzen.
= Walzen prüfen
Drehen Sie die Einzugswalzen mit der Hand und achten Sie auf Risse im Gummi. | Drehen Sie die Einzugswalzen von Hand, im Gummi dürfen keine Risse sein.
= Testseite drucken
Stecken Sie den Stecker ein und drucken Sie eine Testseite. | Stecker wieder rein und eine Testseite drucken.
Vergleichen Sie die Farben mit dem Muster an der Wand. | Die Farben vergleichen Sie mit dem Muster, das an der Wand hängt.`,
  `lab centrifuge: 1 2 3 4 6 5 7
= Put on gloves
Put on nitrile gloves and your safety glasses. | You need nitrile gloves and safety glasses.
= Balance the tubes
Weigh both tubes on the balance, they may differ by a tenth of a gram. | Weigh the two tubes, the difference may be a tenth of a gram.
Add buffer to the lighter one with the pipette. | Fill up the lighter tube with buffer from the pipette.
= Load the rotor
Place the tubes into the rotor opposite to each other. | The tubes go into the rotor exactly opposite each other.
Screw the lid of the rotor on until it clicks. | Screw on the rotor lid until you hear it click.
= Set the program
Set four thousand revolutions and ten minutes. | Ten minutes at four thousand revolutions.
Choose four degrees for the temperature. | The temperature is four degrees.
= Wait for the stop
Wait until the display shows end before you open the lid. | Do not open anything before the display shows end.
= Watch the start
Press start and stay with it until it has reached its speed. | Press start and stay beside it till full speed is reached.
If it shakes press stop immediately. | Should it shake, press stop immediately.
= Take the supernatant
Take off the clear liquid with the pipette without touching the pellet. | With the pipette take the clear liquid off and do not touch the pellet.
Throw the tip into the yellow bin. | The tip goes into the yellow bin.`,
  `hotel room: 1 2 4 3 5 7 8
= Knock
Knock twice and say housekeeping before you open the door. | Knock two times, say housekeeping, then open.
Leave the door open with the wedge while you work. | Keep the door open with the wedge.
= Strip the bed
Take off all sheets and put them into the blue bag. | Pull off the sheets, they go in the blue bag.
Look for things that guests forgot between the pillows. | Look between the pillows for things the guests have forgotten.
= Clean the bathroom
Spray the shower and the basin with the acid cleaner and let it work. | Spray basin and shower with acid cleaner and let that work.
Use the red cloth for the toilet only. | The red cloth is only for the toilet.
= Make the bed
Spread the fresh sheet and fold hospital corners. | Spread a fresh sheet, and fold the hospital corners.
Smooth the duvet and put the card on the pillow. | Put the card on the pillow once the duvet is smooth.
= Dust
Wipe the desk, the lamps and the window sill with the yellow cloth. | Yellow cloth, wipe desk, lamps and window sill.
= Check the heating
Turn the thermostat back to nineteen degrees. |
= Refill the minibar
Count the bottles in the minibar and fill up what is missing. | Fill up the minibar after you have counted the bottles.
Write the missing ones on the room list. | What was missing is written on the room list.
= Vacuum
Vacuum from the window to the door and close it behind you. | Vacuum, starting at the window and ending at the door.`,
  `configurar router: 1 2 3 5 4
= Conectar el cable
Conecta el cable amarillo al puerto de internet del router. | El cable amarillo va en el puerto de internet del router.
Enchufa el router y espera a que la luz sea verde. | Enchúfalo y espera hasta que la luz se ponga verde.
= Entrar en la configuración
Abre el navegador y escribe la dirección que está en la etiqueta. | En el navegador escribe la dirección que ves en la etiqueta.
La contraseña de fábrica también está en la etiqueta. | También la contraseña de fábrica está ahí.
= Cambiar la contraseña
En administración elige una contraseña nueva de doce letras. | Elige en administración una nueva contraseña con doce letras.
= Poner nombre a la red
En inalámbrico escribe el nombre de la red y elige el canal once. | Ve a inalámbrico, pon el nombre de la red y el canal once.
= Actualizar el programa
Pulsa buscar actualización y no apagues el aparato mientras instala. | Antes pulsa buscar actualización y no lo apagues mientras se instala.`,
  `drill press: 1 2 3 4 5 6
= Clamp the piece
Clamp the workpiece in the vice so that it cannot turn. | The workpiece is clamped in the vice, it must not turn.
Never hold it with your hand. | Don't ever hold it by hand.
= Set the speed
Open the cover and put the belt on the second pulley for steel. | For steel the belt goes on the second pulley, open the cover for that.
Close the cover again or the machine does not start. | The machine only starts with the cover closed.
= Insert the drill
Push the drill bit into the chuck and tighten it at all three holes. | Insert the bit into the chuck and tighten at all three holes with the key.
Take the key out of the chuck right away. | Take that key out right away.
= + Mark the centre
| Mark the middle of the hole with a centre punch and one hammer blow.
| Without that the bit wanders off.
= Set the depth
Lower the spindle to the piece and set the depth stop to fifteen millimetres. | Bring the spindle down to the piece, then the depth stop to fifteen millimetres.
= Drill
Start the machine, add a drop of oil and press evenly. | Machine on, one drop of oil, and press evenly.
Lift the drill now and then so that the chips break. | Now and then lift the drill to break the chips.`,
  `cash register close: 1 2 3 4 6 5
= Print the journal
Press the key for the daily journal and tear off the receipt. | Tear off the receipt after you press the daily journal key.
= Count the notes
Count the notes by value and write the sums on the form. | The notes are counted by value, write each sum on the form.
Bundle a hundred notes with a band. | A hundred notes get a band.
= Count the coins
Pour the coins into the counting machine and wait for the total. | Pour all coins in the counting machine and wait for its total.
Write the total below the notes. | Its total goes below that of the notes.
= Compare
Compare the sum with the journal, a difference of two euros is all right. | Now compare the sum and the journal, two euros of difference are all right.
Anything above you report to the manager. | Report everything above it to the manager.
= Lock the drawer
Leave one hundred and fifty euros in the drawer as change and lock it. | One hundred fifty euros stay in the drawer as change, lock it.
= Bring the money to the safe
Put the rest into the safe bag, seal it and note its number. | The rest goes in the safe bag, seal that and note down the number.
Throw the bag into the slot of the safe. | Drop the bag through the slot of the safe.`,
  `injection pump: 1 2 3 4 5 6 7
= Wash your hands
Wash your hands and dry them with a paper towel. | Wash and dry your hands.
= Check the prescription
Compare the name of the patient with the prescription. | Compare the prescription and the name of the patient.
Check the dose and the rate a second time with a colleague. | Have a colleague check dose and rate a second time.
= Draw up the syringe
Draw fifty millilitres of the solution into the syringe and remove all air. | Fifty millilitres of solution are drawn into the syringe, and all air comes out.
Put a label with the time on it. | Label it with the time.
= Insert the syringe
Lift the clamp of the pump and insert the syringe until the plunger fits. | Lift the pump's clamp, insert the syringe until its plunger fits.
= Set the rate
Type five millilitres per hour and confirm with the green key. | The rate is five millilitres per hour, confirm with the green key.
= Connect the line
Fill the line first and connect it to the cannula. | Connect the line to the cannula after it has been filled.
Look that there are no bubbles in it. | There may be no bubbles in it.
= Start
Press start and watch the first minute. | Press start and watch it for the first minute.
Sign in the chart with the time. | Sign the chart with the time.`,
  `customer records: 1 2 4 3 5 6
= Add the address
Click edit, type the street and click save. | Click edit, type in the street, click save.
Wait until the green bar appears. | Wait for the green bar.
= Add the phone
Click edit, type the phone number and click save. | Click edit, type in the phone number, click save.
Wait until the green bar appears. | Wait for the green bar.
= Add the bank
Click edit, type the account number and click save. | Click edit, type in the number of the account, click save.
Wait until the green bar appears. | Wait for the green bar.
= Add the contact
Click edit, type the name of the contact and click save. | Click edit, type in the contact's name, click save.
Wait until the green bar appears. | Wait for the green bar.
= Add the discount
Click edit, type the discount in percent and click save. | Click edit, type in the percentage of the discount, click save.
Wait until the green bar appears. | Wait for the green bar.
= Close the record
Click close at the bottom and confirm. | At the bottom click close, then confirm.`,
]
