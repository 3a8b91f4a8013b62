"""Lists of authors as printed sources have them. Expected are `Family, Given [Suffix]`, and `=` before a literal."""

import pytest

from catalogue.models.evidence import source_words
from catalogue.portal.bibliography import parse_reference
from catalogue.texts.names import Name, canonical, people


def spelt(name: Name) -> str:
    if "literal" in name:
        return f"={name['literal']}"
    return f"{name['family']}, {name['given']}" + (f" [{name['suffix']}]" if "suffix" in name else "")


PERSONS = """
Beals, R. and P. Carrasco. | Beals, R. | Carrasco, P.
Crist, W., A.-E. Dunn-Vaturi and A. de Voogt. | Crist, W. | Dunn-Vaturi, A.-E. | de Voogt, A.
Crist, W.; A.-E. Dunn-Vaturi and A. de Voogt. | Crist, W. | Dunn-Vaturi, A.-E. | de Voogt, A.
Cherpion, N, J.P. Corteggiani, and J.-F. Gout. | Cherpion, N | Corteggiani, J.P. | Gout, J.-F.
Ferreira, M. B. R.; M. Vinha, de Souza, Fernandes. | Ferreira, M. B. R. | Vinha, M. | =de Souza | =Fernandes
Voogt, A. de, Dunn-Vaturi, A., Eerkens, J. | Voogt, A. de | Dunn-Vaturi, A. | Eerkens, J.
Crist W, Dunn-Vaturi AE, de Voogt A. | Crist, W | Dunn-Vaturi, AE | de Voogt, A
Depaulis T., Crist W. | Depaulis, T. | Crist, W.
J. Smith, A. B. Doe, and C. Roe | Smith, J. | Doe, A. B. | Roe, C.
Smith, J.A., Doe, M.A. & Roe, K. | Smith, J.A. | Doe, M.A. | Roe, K.
Smith, John, Mary Doe, and Peter Roe. | Smith, John | Doe, Mary | Roe, Peter
Smith, John, Doe, Mary, and Roe, Anna. | Smith, John | Doe, Mary | Roe, Anna
Smith, John, Doe, Mary, Roe, Peter | Smith, John | Doe, Mary | Roe, Peter
Huyghe, Edith & François-Bernard Huyghe | Huyghe, Edith | Huyghe, François-Bernard
Walter Crist, Anne Dunn-Vaturi, and Alex de Voogt | Crist, Walter | Dunn-Vaturi, Anne | de Voogt, Alex
Smith, Jr., J. | Smith, J. [Jr.]
Smith Jr., J. and T. Doe | Smith, J. [Jr.] | Doe, T.
Mohr, M. S., F. Riesenberg Jr. | Mohr, M. S. | Riesenberg, F. [Jr.]
King, Martin Luther, Jr. | King, Martin Luther [Jr.]
Smith, J. M. III | Smith, J. M. [III]
SMITH, J. and LI, W. | SMITH, J. | LI, W.
Smith, J. and K. Li. | Smith, J. | Li, K.
Petrie, W. M. Flinders, and J. Doe | Petrie, W. M. Flinders | Doe, J.
Mackay, E.J.H., with contributions by A.S. Hemmy | Mackay, E.J.H. | Hemmy, A.S.
Smith. J. and Doe. K. | Smith, J. | Doe, K.
Smith , J . and K . Doe | Smith, J. | Doe, K.
Ó Súilleabháin, S. | Ó Súilleabháin, S.
Нгуен, В. А., и др. | Нгуен, В. А. | =et al.
Hyde, Rev. T. and Capt. R. S. Rattray | Hyde, Rev. T. | Rattray, Capt. R. S.
O'Brien, P., with the assistance of J. Doe | O'Brien, P. | Doe, J.
von Humboldt, A. and J. van der Berg | von Humboldt, A. | van der Berg, J.
García Márquez, Gabriel, and Walter Crist | García Márquez, Gabriel | Crist, Walter
García Márquez, G., y Vargas Llosa, M. | García Márquez, G. | Vargas Llosa, M.
García, J. y M. López | García, J. | López, M.
J. Ortega y Gasset | Ortega y Gasset, J.
da Silva, M., and J. dos Santos | da Silva, M. | dos Santos, J.
al-Masʿūdī, A. | al-Masʿūdī, A.
Nguyễn, V. H. and Li, W. | Nguyễn, V. H. | Li, W.
Иванов, И. И. и Петров, П. П. | Иванов, И. И. | Петров, П. П.
පෙරේරා, එස්. | පෙරේරා, එස්.
Church, A. and J. Church | Church, A. | Church, J.
McConville, V. L., & Schädler, U. A. | McConville, V. L. | Schädler, U. A.
Crist AJM, House II, Gout W | Crist, AJM | House, II | Gout, W
Balambal, C. P., A. Ortega y Gasset y W. Church. | Balambal, C. P. | Ortega y Gasset, A. | Church, W.
Culin, S., et al. | Culin, S. | =et al.
Smith, A. [et al.] | Smith, A. | =et al.
Smith, A. & al. | Smith, A. | =et al.
Smith, J. and 3 others | Smith, J. | =et al.
Rossi, M. e altri | Rossi, M. | =et al.
Novák, J. a kol. | Novák, J. | =et al.
Παπαδόπουλος, Κ. κ.ά. | Παπαδόπουλος, Κ. | =et al.
Smith, A., Doe, B., … Roe, C. | Smith, A. | Doe, B. | Roe, C. | =et al.
Smith, A. . . . Roe, C. | Smith, A. | Roe, C. | =et al.
Davis, W. H., 3rd | Davis, W. H. [3rd]
Smith, J., M.A., F.R.A.S. | Smith, J. [M.A., F.R.A.S.]
John Davy, M.D., F.R.S. | Davy, John [M.D., F.R.S.]
H. Parker, C.C.S. | Parker, H. [C.C.S.]
King, M. L., Jr., Ph.D. | King, M. L. [Jr., Ph.D.]
Smith, S.J., and Doe, M.A. | Smith, S.J. | Doe, M.A.
Gooneratne, E. R., Mudaliyar | Gooneratne, E. R. [Mudaliyar]
Mudaliyar, A. L. | Mudaliyar, A. L.
Doe, J., Senior, N. W. | Doe, J. | Senior, N. W.
Pegg, Ed and Bell, R. | Pegg, Ed | Bell, R.
Παπαδόπουλος, Κ. και Ι. Γεωργίου | Παπαδόπουλος, Κ. | Γεωργίου, Ι.
Tóth, B. és Nagy, K. | Tóth, B. | Nagy, K.
Novák, J. a Dvořák, P. | Novák, J. | Dvořák, P.
Yılmaz, A. ve Çelik, B. | Yılmaz, A. | Çelik, B.
Ştefan, A. şi I. Popa | Ştefan, A. | Popa, I.
T. a Kempis | a Kempis, T.
კობახიძე, გ. | კობახიძე, გ.
J‑M. Lhôte | Lhôte, J‑M.
Goethe, J. W. v. | Goethe, J. W. v.
Smith, J.*, Doe, K.† and Roe, L.² | Smith, J. | Doe, K. | Roe, L.
Smith, J. / Doe, K. | Smith, J. | Doe, K.
Smith, J. & | Smith, J.
Swiny, S. and Wilson, S., with an appendix by K. Doe | Swiny, S. | Wilson, S. | Doe, K.
PARKER (Henry) | PARKER, Henry
Culin (S.) et Doe (J.) | Culin, S. | Doe, J.
By H. Parker, Esq. | Parker, H. [Esq.]
Parker, Henry, 1849-1911. | Parker, Henry
Smith, J., (d. 1909) | Smith, J.
Smith, J.and Doe, K.. | Smith, J. | Doe, K.
Calvo, R. - Schädler, U. | Calvo, R. | Schädler, U.
Smith, J., K. Doe, + 5 | Smith, J. | Doe, K. | =et al.
"""
BODIES_AND_DOUBTS = """
Brandon and Sons, Ltd. | =Brandon and Sons, Ltd.
J. Wiley and Sons | =J. Wiley and Sons
Ministry of Culture and Tourism | =Ministry of Culture and Tourism
Thailand, Fine Arts Department | =Thailand, Fine Arts Department
Smith, J. and Royal Asiatic Society | Smith, J. | =Royal Asiatic Society
Swiss Museum of Games and U. Schädler | =Swiss Museum of Games | Schädler, U.
UNESCO and J. Smith | =UNESCO | Smith, J.
Yule, R. V., Jr. and National Geographic Society | Yule, R. V. [Jr.] | =National Geographic Society
Murray JMU, Ifland WU | =Murray JMU, Ifland WU
UNESCO, Kendall A. | =UNESCO, Kendall A.
Cho-Yo. | =Cho-Yo
Li. | =Li
Avalon Hill | =Avalon Hill
Smith, Doe, and Roe | =Smith | =Doe | =Roe
Geoffrey of Monmouth | =Geoffrey of Monmouth
Ibn Khaldun | =Ibn Khaldun
Muhammad ibn Umar | =Muhammad ibn Umar
Alfonso X, King of Castile | =Alfonso X, King of Castile
Nguyễn Văn Huyên | =Nguyễn Văn Huyên
Li Wei and Zhang Min | =Li Wei | =Zhang Min
Sigurðardóttir, Anna and Jón Aðalsteinsson | Sigurðardóttir, Anna | =Jón Aðalsteinsson
García Márquez, G. and M. Vargas Llosa | García Márquez, G. | =M. Vargas Llosa
García Márquez, Gabriel José, and Walter Crist | =García Márquez, Gabriel José, and Walter Crist
Juan García y Pedro López | =Juan García y Pedro López
山田太郎、鈴木一郎 | =山田太郎 | =鈴木一郎
王明, 李华 | =王明, 李华
김철수·이영희 | =김철수 | =이영희
増川宏一他 | =増川宏一 | =et al.
増川宏一 著 | =増川宏一
Anon. | =Anon.
Alfonso X el Sabio | =Alfonso X el Sabio
Tolstoy, L. N., trans. L. Wiener | =Tolstoy, L. N., trans. L. Wiener
Firdausi, trans. by A. G. Warner and E. Warner | =Firdausi, trans. by A. G. Warner and E. Warner
под ред. Д. С. Лихачёва | =под ред. Д. С. Лихачёва
'Berkeley' (W. H. Peel) | ='Berkeley' (W. H. Peel)
Smith, J. (1909) | =Smith, J. (1909)
International Council of Museums (ICOM) | =International Council of Museums (ICOM)
BBC News | =BBC News
IBM Corp. | =IBM Corp.
Louis XIV | =Louis XIV
清水康二・宮原晋一 | =清水康二 | =宮原晋一
Piccione, P. A., in I. L. Finkel | =Piccione, P. A., in I. L. Finkel
"""
CASES = [tuple(line.split(" | ")) for line in (PERSONS + BODIES_AND_DOUBTS).strip().splitlines() if line]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0][:40])
def test_a_printed_list_is_these_names(case: tuple[str, ...]) -> None:
    printed, *names = case
    assert [spelt(name) for name in people(printed)[1]] == names
    # What the import keeps is read as the same names.
    assert people(canonical(printed)) == people(printed)


@pytest.mark.parametrize(
    ("printed", "role", "kept"),
    [
        ("Culin, S., and J. Doe, eds.", "editor", "Culin, S.; Doe, J. (eds.)"),
        ("Culin, S. (ed.) and J. Doe (ed.)", "editor", "Culin, S.; Doe, J. (eds.)"),
        ("Smith, J. and Doe, K. (Eds.).", "editor", "Smith, J.; Doe, K. (eds.)"),
        ("Edited by J. Smith", "editor", "Smith, J. (ed.)"),
        ("Doe, J. (trans.)", "translator", "Doe, J. (trans.)"),
        ("Doe, J., and K. Roe, comps.", "compiler", "Doe, J.; Roe, K. (comps.)"),
        ("Beals, R. and P. Carrasco et al.", "author", "Beals, R.; Carrasco, P. et al."),
        ("Горький М. (ред.)", "editor", "Горький, М. (ed.)"),
        ("Dupont J. et Durand P. (dir.)", "editor", "Dupont, J.; Durand, P. (eds.)"),
        ("Rossi, M. e G. Bianchi (a cura di)", "editor", "Rossi, M.; Bianchi, G. (eds.)"),
        ("Schmidt, H., Hg.", "editor", "Schmidt, H. (ed.)"),
        ("増川宏一 編", "editor", "増川宏一 (ed.)"),
        ("Legge, J., tr.", "translator", "Legge, J. (trans.)"),
        ("Edited and translated by J. Legge", "editor", "Legge, J. (ed.)"),
        ("Grange, Red", "author", "Grange, Red"),
        ("", "author", ""),
    ],
)
def test_roles_and_others(printed: str, role: str, kept: str) -> None:
    assert people(printed)[0] == role
    assert canonical(printed) == kept


def test_an_imported_reference_is_called_by_its_surnames() -> None:
    reference = parse_reference("Crist, W., A.-E. Dunn-Vaturi and A. de Voogt. 2016. Ancient Egyptians. London: Press.")
    assert reference.authors == "Crist, W.; Dunn-Vaturi, A.-E.; de Voogt, A."
    assert reference.key == "crist-2016"
    assert source_words("Beals, R. and P. Carrasco.", 1944) == "Beals, Carrasco 1944"
    assert source_words("Plato", -379) == "Plato 380 BCE"
    assert source_words("Crist, W.; Piette, É.; van Goor, L.; Browne, C.", 2026) == "Crist et al. 2026"
